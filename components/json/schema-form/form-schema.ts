import type { RJSFSchema } from '@rjsf/utils';

/** What our own fields and templates read of a form schema, beside the few keywords that the form library needs. */
export interface FieldMarks {
  /** null may be sent in place of a value. */
  readonly 'x-nullable'?: boolean;
  /** Any JSON value. */
  readonly 'x-any'?: boolean;
  /** The server's default as JSON: shown, never sent by itself. */
  readonly 'x-default'?: string;
  /** Bounds, format and pattern in words. */
  readonly 'x-rules'?: readonly string[];
  readonly 'x-format'?: string;
  readonly 'x-enum-labels'?: readonly string[];
}

/** A schema for the form library: references inlined but where they recur, no defaults, no conditions. */
export type FormSchema = RJSFSchema & FieldMarks;

export interface FormPlan {
  readonly schema: FormSchema;
  /** Sentences about what the form does not show; the raw JSON takes it, and it is checked all the same. */
  readonly notes: readonly string[];
}
