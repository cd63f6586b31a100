import { z } from 'zod';
import { ROLES } from '../role';

export const emailSchema = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.email('Write an e-mail address, such as ann@example.org.').max(200, 'An address has 200 characters at most.'));

export const personNameSchema = z
  .string()
  .trim()
  .min(1, 'Write a name.')
  .max(100, 'A name has 100 characters at most.');

export const newPasswordSchema = z
  .string()
  .min(10, 'Choose a password of at least 10 characters.')
  .max(200, 'A password has 200 characters at most.');

export const roleSchema = z.enum(ROLES, `Choose a role: ${ROLES.join(', ')}.`);

/** Someone to be added. */
export const newPersonSchema = z.object({
  email: emailSchema,
  name: personNameSchema,
  password: newPasswordSchema,
  role: roleSchema,
});
export type NewPerson = z.infer<typeof newPersonSchema>;
