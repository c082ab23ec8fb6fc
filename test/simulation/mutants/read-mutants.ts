import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A seeded defect: a patch of the sources, with a header. */
export interface Mutant {
  /** `01-claim-without-version` */
  readonly name: string
  /** The path of its patch. */
  readonly path: string
  /** The defect in one sentence. */
  readonly breaks: string
  readonly class: MutantClass
  /** The kind of bug in Sieve, Acto or Anvil. */
  readonly bug: string
  /** The names of the functions that show it. */
  readonly functions: readonly string[]
  /** Part of the id of the job that was written for it among the histories: `a frozen step`. Undefined: none. */
  readonly scenario: string | undefined
  /** The other sets that may find it, the most specific one first. */
  readonly sets: readonly string[]
  /** The shortest history that shows the defect. */
  readonly history: string
  /** The paths of the changed sources. */
  readonly files: readonly string[]
}

const classes = ['intermediate', 'stale', 'unobserved', 'interference', 'configuration', 'migration'] as const
export type MutantClass = (typeof classes)[number]

const folder = import.meta.dirname

/** Reads all mutants in their order. Throws if a header is incomplete. */
export const readMutants = (): readonly Mutant[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.patch'))
    .sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10))
    .map(readMutant)

const readMutant = (file: string): Mutant => {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8')
  const optional = (name: string) => new RegExp(`^${name}: (.+)$`, 'm').exec(text)?.[1]
  const field = (name: string): string => {
    const value = optional(name)
    if (value === undefined) throw new Error(`${file}: expected a line "${name}: …" before the patch`)
    return value
  }
  const named = field('Class')
  const known = classes.find(one => one === named)
  if (known === undefined)
    throw new Error(`${file}: expected a class of ${classes.join(', ')}, found ${named}`)
  return {
    name: file.replace(/\.patch$/, ''),
    path,
    breaks: field('Breaks'),
    class: known,
    bug: field('Bug'),
    functions: field('Functions').split(' '),
    scenario: optional('Scenario'),
    sets: field('Sets').split(' '),
    history: field('History'),
    files: [...text.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, changed = '']) => changed),
  }
}
