/** The part of JSON Schema that the service itself reads. The validator handles the rest. */
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
