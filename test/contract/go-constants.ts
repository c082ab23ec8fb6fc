import { join } from 'node:path'
import { outputOf } from '../../build/programs/programs.ts'
import type { GoModule } from './modules.ts'

/** A string constant of a Go package. */
export interface GoConstant {
  /** Its import path. */
  readonly package: string
  readonly name: string
  /** The declared type without its package. Empty: no declared type. */
  readonly type: string
  readonly value: string
}

/** Returns the string constants of Go modules. Builds the program that parses them; Go caches it. */
export const goConstants = async (modules: readonly GoModule[]): Promise<readonly GoConstant[]> => {
  const cwd = join(import.meta.dirname, 'go-constants')
  const args = modules.map(({ path, folder }) => `${path}=${folder}`)
  return JSON.parse(await outputOf('go', ['run', '.', ...args], { cwd }))
}
