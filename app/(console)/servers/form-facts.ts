import { may, type Principal } from '@/lib/auth';
import type { Runtime } from '@/lib/boot';

/** Variables that a server often needs when the console stands behind a proxy or an own package registry. */
const OFFERED = /^(?:(?:https?|all|no|ftp)_proxy|ssl_cert_(?:file|dir)|node_extra_ca_certs|node_use_env_proxy|requests_ca_bundle|curl_ca_bundle|npm_config_(?!user_agent|local_prefix|node_gyp|init|global_prefix|prefix|cache|noproxy|npm_version).*|pip_.*|uv_.*|yarn_registry|gopro(?:xy|xies)|cargo_http_.*)$/i;

/** What the form offers beside the fields: names alone, never values. */
export const toFormFacts = (runtime: Runtime, principal: Principal) => ({
  offeredVariables: Object.keys(runtime.env.inherited).filter((name) => OFFERED.test(name)).sort(),
  secretNames: may(principal.role, 'secrets.use') ? runtime.vault.names().map(({ name }) => name) : [],
  environmentReadAt: runtime.env.startedAt,
});
