import { readFileSync } from 'node:fs'
import { matchesGlob, posix } from 'node:path'
import { circlesOf, type SourceImport } from './source-imports.ts'

/** A folder that others enter by its face alone. */
export interface Room {
  /** From the root of the repository. */
  readonly folder: string
  /** The files that others import, from the folder; `*` stands for any name. */
  readonly face: readonly string[]
  /** What the room is for, in a sentence. */
  readonly for: string
}

/** The table of rooms of a repository. */
export const readRooms = (root: string): readonly Room[] =>
  (JSON.parse(readFileSync(posix.join(root, 'rooms.json'), 'utf8')) as { readonly rooms: readonly Room[] })
    .rooms

/** Tests, benchmarks and what stands in a `testing` folder may use the `testing` folders of every room. */
const isTest = (file: string): boolean =>
  /\.(?:test|real)\.ts$/.test(file) || /(?:^|\/)testing\//.test(file) || /^(?:test|bench)\//.test(file)

const isInside = (folder: string, file: string): boolean => file.startsWith(`${folder}/`)

/** The innermost room in which a file stands. */
export const roomOf = (rooms: readonly Room[], file: string): Room | undefined =>
  rooms.filter(({ folder }) => isInside(folder, file)).sort((a, b) => b.folder.length - a.folder.length)[0]

/** The imports that go past the face of a room, as lines that name the file and what to import instead. */
export const brokenFaces = (rooms: readonly Room[], imports: readonly SourceImport[]): readonly string[] =>
  imports.flatMap(({ file, line, target, whileRunning }) => {
    const room = roomOf(rooms, target)
    if (room === undefined || isInside(room.folder, file)) return []
    const inner = posix.relative(room.folder, target)
    if (room.face.some(face => matchesGlob(inner, face))) return []
    // A test may load a file by itself, to see what its loading does.
    if (isTest(file) && (whileRunning || inner.split('/').includes('testing'))) return []
    const faces = room.face.map(face => posix.join(room.folder, face)).join(' or ')
    return [`${file}:${line}: ${target} is inside of ${room.folder}; import ${faces}`]
  })

/** The most sources that stand beside each other in a folder; more are given folders of their own. */
export const mostSources = 12

/** Folders with more sources than that, tests not counted, and how many. */
export const flatFolders = (files: readonly string[]): readonly { folder: string; sources: number }[] =>
  [
    ...Map.groupBy(
      files.filter(file => !/\.(?:test|real)\.ts$/.test(file)),
      file => posix.dirname(file),
    ),
  ]
    .map(([folder, inside]) => ({ folder, sources: inside.length }))
    .filter(({ sources }) => sources > mostSources)
    .sort((a, b) => b.sources - a.sources)

const topLevelOf = (file: string): string => file.split('/')[0] ?? ''

/**
 * Returns the import cycles between folders of the top level, each as the sorted names of its folders. Tests and the
 * `testing` folders do not count.
 */
export const topLevelCycles = (imports: readonly SourceImport[]): readonly (readonly string[])[] => {
  const edges = imports
    .filter(({ file, target }) => !isTest(file) && file.includes('/') && target.includes('/'))
    .map(one => ({ ...one, file: topLevelOf(one.file), target: topLevelOf(one.target) }))
    .filter(({ file, target }) => file !== target)
  const files = [...new Set(edges.flatMap(({ file, target }) => [file, target]))].sort()
  return circlesOf({ files, imports: edges })
}

/** A file of a function or of an admission function: its provider and its kind. */
const functionFile = /^functions\/([^/]+)\/([^/]+)\//

/**
 * Returns the imports that a function may not have, as lines. A function imports `shared`, `terraform-free-infra`, its own
 * files, the `provider` folder of its provider, and rooms of its provider by their faces (`brokenFaces` checks the face).
 */
export const strayImports = (rooms: readonly Room[], imports: readonly SourceImport[]): readonly string[] =>
  imports.flatMap(({ file, line, target }) => {
    const [, provider, kind] = functionFile.exec(file) ?? []
    if (provider === undefined || isTest(file) || /^(?:shared|terraform-free-infra)\//.test(target)) return []
    const isOwn =
      target.startsWith(`functions/${provider}/${kind}/`) ||
      target.startsWith(`functions/${provider}/provider/`)
    const isRoom = target.startsWith(`functions/${provider}/`) && roomOf(rooms, target) !== undefined
    return isOwn || isRoom ? [] : [`${file}:${line}: a function may not import ${target}`]
  })
