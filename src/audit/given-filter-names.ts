/** Which filters were given, in order of their names: what is searched for may be a person's number, and is not for the log. */
export function givenFilterNames(filters: object): string[] {
  return Object.entries(filters)
    .flatMap(([name, value]) => (value === undefined ? [] : [name]))
    .toSorted();
}
