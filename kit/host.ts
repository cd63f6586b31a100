/** The variables of the process that serves, as far as they are set. */
export type HostEnvironment = Readonly<Record<string, string | undefined>>;

/** The one place where the kit reads the environment; everything else is given it. */
export const hostEnvironment = (): HostEnvironment => process.env;
