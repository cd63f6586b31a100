export { Accounts, describeRefusal, readAuthSecret, type SetCookie } from './accounts';
export type { Person } from './people';
export { sessionCookieName, toSessionCookie } from './session-cookie';
export { emailSchema, newPasswordSchema, newPersonSchema, personNameSchema, roleSchema } from './person-input';
