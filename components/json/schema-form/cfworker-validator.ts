import type { ValidatorType } from '@rjsf/utils';
import { normaliseSchema, validateJson } from '../schema';
import type { FormSchema } from './form-schema';

/**
 * What the form library asks of a validator, answered by ours. The check of what is sent is made against the server's
 * own schema, outside the library, so only the fit of a union's branch is asked here.
 */
export const cfworkerValidator: ValidatorType<unknown, FormSchema> = {
  isValid(schema, formData, rootSchema) {
    const normal = normaliseSchema({ ...schema, $defs: rootSchema.$defs });
    return normal.ok && validateJson(normal.value.schema, formData).kind === 'fits';
  },
  validateFormData: () => ({ errors: [], errorSchema: {} }),
  rawValidation: () => ({ errors: [] }),
};
