/** The names of the given filters, sorted. Their values may be a person's phone number and must not be recorded. */
export function givenFilterNames(filters: object): string[] {
  return Object.entries(filters)
    .flatMap(([name, value]) => (value === undefined ? [] : [name]))
    .toSorted();
}
