export const en = {
  close: 'Close',
  copy: 'Copy',
  copied: 'Copied',
  retry: 'Try again',
  loading: 'Loading',
  breadcrumbs: 'Breadcrumbs',
  pageTitle: '{title} · SMS console',
  requestId: 'Request {id}',
  rows: { one: '{count} row', other: '{count} rows' },
  notices: 'Notices',
  loadingMore: 'Loading more rows',
} as const;
