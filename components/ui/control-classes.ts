/** The frame that inputs, text areas and selects share. */
export const controlClasses =
  'w-full min-w-0 rounded-sm border border-line-strong bg-surface text-text placeholder:text-faint ' +
  'aria-invalid:border-bad disabled:bg-sunken disabled:text-faint [&[readonly]]:bg-sunken';
