import { hash, verify } from '@node-rs/argon2';

/** argon2id with the library's defaults (19 MiB, 2 passes), which are those that OWASP names. */
export const hashPassword = (password: string): Promise<string> => hash(password);

export const verifyPassword = ({ hash: stored, password }: { hash: string; password: string }): Promise<boolean> =>
  verify(stored, password);
