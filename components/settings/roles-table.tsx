import { may, ROLES, type Permission } from '@/lib/auth';
import { Table, TableCell, TableHead, TableHeading, TableRow } from '../ui/table';

/** The table of roles in a person's words, each line with a permission that stands for it. */
const LINES: readonly { readonly words: string; readonly permission: Permission }[] = [
  { words: 'See servers, and calls without their arguments and results', permission: 'servers.see' },
  { words: 'See arguments, results and files; call tools; add files; cancel own calls', permission: 'calls.make' },
  { words: 'Add, edit, test, enable, review and delete servers; use secrets by name; cancel anyone’s calls', permission: 'servers.manage' },
  { words: 'People, limits, the vault and the audit log', permission: 'people.manage' },
];

export const RolesTable = () => (
  <Table label="What each role may">
    <TableHead>
      <TableHeading>May</TableHeading>
      {ROLES.map((role) => (
        <TableHeading key={role}>{role}</TableHeading>
      ))}
    </TableHead>
    <tbody>
      {LINES.map(({ words, permission }) => (
        <TableRow key={permission}>
          <TableCell>{words}</TableCell>
          {ROLES.map((role) => (
            <TableCell key={role}>{may(role, permission) ? 'yes' : <span className="text-faint">no</span>}</TableCell>
          ))}
        </TableRow>
      ))}
    </tbody>
  </Table>
);
