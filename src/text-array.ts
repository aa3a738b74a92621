import { ArrayType } from '@mikro-orm/core';

/**
 * A `text[]` with any texts. MikroORM's own type writes most texts without quotes: PostgreSQL removes the spaces around
 * such a text, and reads `null` as no value. It writes the others with the escapes of JSON, which PostgreSQL does not
 * know: a line break would become an n.
 */
export class TextArray extends ArrayType {
  override convertToDatabaseValue(texts: string[] | null): string | null {
    return texts && `{${texts.map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
  }
}
