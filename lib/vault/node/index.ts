export { readOrMakeKeyFile } from './key-file';
export { SecretRedactor } from './secret-redactor';
export { Vault, type SecretFacts } from './vault';
