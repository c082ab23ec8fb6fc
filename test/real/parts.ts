import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A suite of this folder. */
export interface RealSuite {
  /** Relative to this folder. */
  readonly path: string
  /** The parts that it needs, by the names of `setup.ts`: `kube`. */
  readonly programs: readonly string[]
  /** The names that select it: its folder, or else the first word of its file name, and its programs. */
  readonly parts: readonly string[]
}

/** Returns a suite by its path and source. The source names the programs in `describeWith` and `inject`. */
export const suiteOf = (path: string, source: string): RealSuite => {
  const asked = [...source.matchAll(/\b(?:describeWith|inject)\(\s*'([\w-]+)'/g)].map(([, name = '']) => name)
  const programs = [...new Set(asked)].toSorted()
  const [first = ''] = path.split(path.includes('/') ? '/' : /[-.]/)
  return { path, programs, parts: [...new Set([first, ...programs])] }
}

/**
 * Parts that take too long for each landing. They run only by name: at night, and by hand. On two cores, a new machine
 * needs two to six minutes for the servers of `openstack` (640 MB) and their databases before the first suite.
 */
export const nightlyParts: readonly string[] = ['garden-shoot', 'openstack']

/** Returns all suites of this folder. */
export const realSuites = (): readonly RealSuite[] =>
  readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.real.ts'))
    .toSorted()
    .map(path => suiteOf(path, readFileSync(join(import.meta.dirname, path), 'utf8')))

/**
 * Returns the suites of the parts `only`, separated by commas. Throws an Error that lists all parts if one is unknown.
 */
export const suitesOfParts = (suites: readonly RealSuite[], only: string): readonly RealSuite[] => {
  const wanted = only.split(',').map(part => part.trim())
  const known = new Map<string, number>()
  for (const { parts } of suites) for (const part of parts) known.set(part, (known.get(part) ?? 0) + 1)
  const unknown = wanted.filter(part => !known.has(part))
  if (unknown.length > 0) {
    const list = [...known].toSorted().map(([part, count]) => `${part} (${count})`)
    throw new Error(
      `there is no part ${unknown.join(', ')}. The parts, with their number of files: ${list.join(', ')}`,
    )
  }
  return suites.filter(({ parts }) => parts.some(part => wanted.includes(part)))
}
