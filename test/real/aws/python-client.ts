import { outputOf } from '../../../build/programs/programs.ts'
import type { PythonPrograms } from '../programs/python-programs.ts'

/** Runs a Python program that calls an AWS endpoint, without the user's own AWS settings. */
export const pythonClient =
  ({ python }: PythonPrograms, endpoint: string) =>
  (...args: readonly string[]): Promise<string> =>
    outputOf(python, args, {
      env: {
        PATH: process.env.PATH,
        PYTHONDONTWRITEBYTECODE: '1',
        AWS_ENDPOINT_URL: endpoint,
        AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
        AWS_SECRET_ACCESS_KEY: 'example',
        AWS_REGION: 'eu-west-1',
        AWS_DEFAULT_REGION: 'eu-west-1',
        AWS_CONFIG_FILE: '/dev/null',
        AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
        AWS_EC2_METADATA_DISABLED: 'true',
        AWS_PAGER: '',
      },
    })

/** The `aws` command line. */
export interface AwsCli {
  /** Runs a command and parses its JSON. Rejects with its output if it fails. */
  json(...args: readonly string[]): Promise<Json>
  /** Runs a command and returns its output. */
  text(...args: readonly string[]): Promise<string>
}

/** The parsed output of a command. Its shape depends on the command. */
// biome-ignore lint/suspicious/noExplicitAny: a test reads what it knows to be there, and fails if it is not.
export type Json = any

export const awsCli = (programs: PythonPrograms, endpoint: string): AwsCli => {
  const run = pythonClient(programs, endpoint)
  const text = (...args: readonly string[]) => run('-m', 'awscli', '--output', 'json', ...args)
  return {
    text,
    json: async (...args) => {
      const printed = await text(...args)
      return printed === '' ? undefined : JSON.parse(printed)
    },
  }
}
