// `server-only` throws outside Next; under test the code that it guards runs on the server anyway.
export {};
