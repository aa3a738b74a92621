export const en = {
  range: 'Time',
  lastDays: { one: 'Last {count} day', other: 'Last {count} days' },
  environment: 'Environment',
  liveAndTest: 'Live and test',
  live: 'Live',
  test: 'Test',
} as const;
