import { z } from 'zod';

/** Names as environment variables have them, so that `${secret:NAME}` reads the same everywhere. */
export const secretNameSchema = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,63}$/, 'Write the name in capital letters, digits and "_", beginning with a letter, 64 at most: API_KEY.');

export const secretValueSchema = z
  .string()
  .min(1, 'Write the value of the secret.')
  .max(65_536, 'A secret has 65,536 characters at most.');
