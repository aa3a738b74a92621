/** As much of JSON Schema as the service itself reads; the validator knows the rest. */
export type JsonSchema = {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  $ref?: string;
  additionalProperties?: boolean | JsonSchema;
  required?: string[];
  maxItems?: number;
  maxLength?: number;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  format?: string;
};
