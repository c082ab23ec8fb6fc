import { join } from 'node:path'
import { goPrograms } from '../../../build/programs/programs.ts'

/** The path of actionlint, which checks workflows of GitHub. */
export interface ActionlintProgram {
  readonly actionlint: string
}

/** Returns actionlint, built once from the version in `actionlint/go.mod`. */
export const actionlintProgram = async (environment: NodeJS.ProcessEnv): Promise<ActionlintProgram> => {
  const folder = await goPrograms(environment, {
    what: 'actionlint',
    module: join(import.meta.dirname, '..', 'actionlint'),
    packages: { actionlint: 'github.com/rhysd/actionlint/cmd/actionlint' },
  })
  return { actionlint: join(folder, 'actionlint') }
}
