export const ROLES = ['viewer', 'analyst', 'operator', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What a role may do: the table of product section 14, a permission for each thing that is checked. */
export const PERMISSIONS = {
  'servers.see': 'viewer',
  'ledger.see': 'viewer',
  'ledger.see_contents': 'analyst',
  'ledger.share_views': 'analyst',
  'calls.make': 'analyst',
  'files.add': 'analyst',
  'disclosure.confirm': 'analyst',
  'servers.manage': 'operator',
  'traffic.see': 'operator',
  'calls.cancel_any': 'operator',
  'secrets.use': 'operator',
  'people.manage': 'admin',
  'vault.manage': 'admin',
  'audit.see': 'admin',
  'limits.manage': 'admin',
  'ledger.manage': 'admin',
} as const satisfies Record<string, Role>;
export type Permission = keyof typeof PERMISSIONS;

/** Whether a role may; each role may all that those before it may. */
export const may = (role: Role, permission: Permission): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(PERMISSIONS[permission]);

/** The least role that may, for sentences such as "an operator can". */
export const roleFor = (permission: Permission): Role => PERMISSIONS[permission];
