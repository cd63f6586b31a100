'use client';

import Form from '@rjsf/core/lib/components/Form.js';
import { englishStringTranslator, TranslatableString, type RegistryFieldsType, type RegistryWidgetsType, type TemplatesType } from '@rjsf/utils';
import { isJsonObject, type JsonObject } from '@/lib/core';
import { cfworkerValidator } from './cfworker-validator';
import { ArrayFieldItemTemplate, ArrayFieldTemplate, CyclicSchemaExpandTemplate, ObjectFieldTemplate } from './container-templates';
import { FieldTemplate } from './field-template';
import { JsonField, NumberField, UnionField } from './fields';
import type { FormSchema } from './form-schema';
import { settleValue } from './settle-value';
import { BooleanWidget, SelectWidget, TextWidget } from './widgets';

interface SchemaFormProps {
  readonly schema: FormSchema;
  /** Where the form begins; it keeps its own state afterwards. Another `key` begins it anew. */
  readonly initial: JsonObject;
  readonly disabled: boolean;
  readonly onChange: (value: JsonObject) => void;
}

const FIELDS: RegistryFieldsType<unknown, FormSchema> = {
  AnyOfField: UnionField, OneOfField: UnionField, NumberField, FallbackField: JsonField,
};
const WIDGETS: RegistryWidgetsType<unknown, FormSchema> = {
  TextWidget, SelectWidget, CheckboxWidget: BooleanWidget,
};
const TEMPLATES: Partial<TemplatesType<unknown, FormSchema>> = {
  FieldTemplate, ObjectFieldTemplate, ArrayFieldTemplate, ArrayFieldItemTemplate, CyclicSchemaExpandTemplate,
};
/** Nothing is filled in by itself: an untouched field is left out. */
const NO_DEFAULTS = {
  arrayMinItems: { populate: 'never' },
  emptyObjectFields: 'skipEmptyDefaults',
  allOf: 'skipDefaults',
  constAsDefaults: 'never',
  requiredBooleanDefault: 'skip',
} as const;

/** The fields of a planned form; `ArgumentForm` stands around it. */
export default function SchemaForm({ schema, initial, disabled, onChange }: SchemaFormProps) {
  return (
    <Form<unknown, FormSchema>
      tagName="div"
      schema={schema}
      validator={cfworkerValidator}
      initialFormData={initial}
      disabled={disabled}
      noValidate
      showErrorList={false}
      fields={FIELDS}
      widgets={WIDGETS}
      templates={TEMPLATES}
      idPrefix="argument"
      experimental_defaultFormStateBehavior={NO_DEFAULTS}
      translateString={(text, params) => (text === TranslatableString.NewStringDefault ? '' : englishStringTranslator(text, params))}
      onChange={({ formData }) => {
        const settled = settleValue(formData) ?? {};
        onChange(isJsonObject(settled) ? settled : {});
      }}
    >
      {/* The press that sends stands outside. */}
      <></>
    </Form>
  );
}
