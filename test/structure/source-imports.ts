import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

/** One import or re-export between sources of this repository. Both paths are relative to the root, with slashes. */
export interface SourceImport {
  readonly file: string
  /** Starts at 1. */
  readonly line: number
  readonly target: string
  /** `import('…')`: a dynamic import. */
  readonly whileRunning: boolean
}

export interface Sources {
  readonly files: readonly string[]
  readonly imports: readonly SourceImport[]
}

const ignored: ReadonlySet<string> = new Set(['node_modules', 'dist', 'coverage', '.git', '.cache'])

/** `import … from`, `export … from`, `import '…'`, `import('…')` and `typeof import('…')` of a relative path. */
const importing = /(?:^|\n)(?:import|export)\b[^'"`;=]*?'(\.[^']+)'|\bimport\(\s*'(\.[^']+)'\s*\)/g

/** Returns the TypeScript sources below a folder, and the imports between them, including type imports. */
export const sourceImports = (root: string): Sources => {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile() && /\.m?ts$/.test(entry.name))
    .map(entry => posix.relative(root, posix.join(entry.parentPath, entry.name)))
    .filter(file => !file.split('/').some(part => ignored.has(part)))
    .sort()
  const known = new Set(files)
  const imports = files.flatMap(file => {
    const text = readFileSync(posix.join(root, file), 'utf8')
    return [...text.matchAll(importing)].flatMap(match => {
      const target = posix.join(posix.dirname(file), match[1] ?? match[2] ?? '')
      const line = text.slice(0, match.index + match[0].length).split('\n').length
      return known.has(target) ? [{ file, line, target, whileRunning: match[2] !== undefined }] : []
    })
  })
  return { files, imports }
}

/** Returns the files in import cycles, one list for each cyclic group. */
export const circlesOf = ({ files, imports }: Sources): readonly (readonly string[])[] => {
  const targets = Map.groupBy(imports, ({ file }) => file)
  const reached = new Map(files.map(file => [file, reachedFrom(file, targets)]))
  const inCircle = files.filter(file => reached.get(file)?.has(file))
  const knots = Map.groupBy(inCircle, file =>
    inCircle.filter(other => reached.get(file)?.has(other) && reached.get(other)?.has(file)).join(' '),
  )
  return [...knots.values()]
}

const reachedFrom = (start: string, targets: ReadonlyMap<string, readonly SourceImport[]>): Set<string> => {
  const reached = new Set<string>()
  const open = [start]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const { target } of targets.get(file) ?? []) {
      if (reached.has(target)) continue
      reached.add(target)
      open.push(target)
    }
  }
  return reached
}
