export const en = {
  cancel: 'Cancel',
  save: 'Save',
  delete: 'Delete',
} as const;
