import { expect, it } from 'vitest';
import { may, PERMISSIONS, ROLES, type Permission } from './role';

it('is the table of product section 14', () => {
  const permissions = Object.keys(PERMISSIONS).filter((name): name is Permission => name in PERMISSIONS);
  const table = Object.fromEntries(permissions.map((permission) => [permission, ROLES.filter((role) => may(role, permission)).join(' ')]));
  expect(table).toEqual({
    'servers.see': 'viewer analyst operator admin',
    'ledger.see': 'viewer analyst operator admin',
    'ledger.see_contents': 'analyst operator admin',
    'ledger.share_views': 'analyst operator admin',
    'calls.make': 'analyst operator admin',
    'files.add': 'analyst operator admin',
    'disclosure.confirm': 'analyst operator admin',
    'servers.manage': 'operator admin',
    'traffic.see': 'operator admin',
    'calls.cancel_any': 'operator admin',
    'secrets.use': 'operator admin',
    'people.manage': 'admin',
    'vault.manage': 'admin',
    'audit.see': 'admin',
    'limits.manage': 'admin',
    'ledger.manage': 'admin',
  });
});
