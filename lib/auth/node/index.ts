export { Accounts, describeRefusal, readAuthSecret, type SetCookie, type SignInRefusal } from './accounts';
export type { Person } from './people';
export { sessionCookieName, toSessionCookie } from './session-cookie';
export { emailSchema, newPasswordSchema, newPersonSchema, personNameSchema, roleSchema, type NewPerson } from './person-input';
