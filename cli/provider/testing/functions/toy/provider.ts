import type { Provider } from '../../../../../sandbox/providers/provider.ts'

/** The smallest provider: the minimum for the sandbox and the command line. */
export const provider: Provider = {
  name: 'toy',
  title: 'Toy',
  texts: {
    owner: 'Nobody',
    scale: '0.01 makes a name take no time',
    howToStart: port => `start a toy at ${port}`,
    welcome: url => ({ about: 'for everybody', lines: [`curl ${url}`] }),
  },
  credentials: { token: 'made-up-for-the-toy' },
  plans: { DNSRecord: 'toy' },
  simulate: async ({ state }) =>
    (await import('./toy-cloud.ts')).simulateToy(state as Readonly<Record<string, unknown>> | undefined),
  connect: async ({ endpoint = 'http://toy.invalid', onCall }) =>
    (await import('./toy-cloud.ts')).connectToy(endpoint, onCall),
  parseState: async state => ({ ok: true, state }),
  functionSettings: () => ({}),
  plan: async (object, surroundings) => (await import('./plan.ts')).planName(object, surroundings),
}
