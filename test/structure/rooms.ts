import { readFileSync } from 'node:fs'
import { matchesGlob, posix } from 'node:path'
import { circlesOf, type SourceImport } from './source-imports.ts'

/** A folder that others import only through its face. */
export interface Room {
  /** Relative to the root of the repository. */
  readonly folder: string
  /** The files that others may import, relative to the folder. `*` matches any name. */
  readonly face: readonly string[]
  /** The purpose of the folder, in one sentence. */
  readonly for: string
}

/** Reads a repository's table of folders with a face. */
export const readRooms = (root: string): readonly Room[] =>
  (
    JSON.parse(readFileSync(posix.join(root, 'test/structure/rooms.json'), 'utf8')) as {
      readonly rooms: readonly Room[]
    }
  ).rooms

/** Tests, benchmarks and files in a `testing` folder may import every `testing` folder. */
const isTest = (file: string): boolean =>
  /\.(?:test|real)\.ts$/.test(file) || /(?:^|\/)testing\//.test(file) || /^test\//.test(file)

const isInside = (folder: string, file: string): boolean => file.startsWith(`${folder}/`)

/** Returns the innermost such folder that contains a file. */
const roomOf = (rooms: readonly Room[], file: string): Room | undefined =>
  rooms.filter(({ folder }) => isInside(folder, file)).sort((a, b) => b.folder.length - a.folder.length)[0]

/** Returns the imports that bypass a face, as lines that name the file and the correct import. */
export const brokenFaces = (rooms: readonly Room[], imports: readonly SourceImport[]): readonly string[] =>
  imports.flatMap(({ file, line, target, whileRunning }) => {
    const room = roomOf(rooms, target)
    if (room === undefined || isInside(room.folder, file)) return []
    const inner = posix.relative(room.folder, target)
    if (room.face.some(face => matchesGlob(inner, face))) return []
    // A test may load a file directly, to test the effects of loading it.
    if (isTest(file) && (whileRunning || inner.split('/').includes('testing'))) return []
    const faces = room.face.map(face => posix.join(room.folder, face)).join(' or ')
    return [`${file}:${line}: ${target} is inside of ${room.folder}; import ${faces}`]
  })

/** An entry of the library, which only exports. The programs that build the package are beside the entries. */
const isEntry = (file: string): boolean =>
  /^build\/library\/[a-z-]+\.ts$/.test(file) && !/\/(?:build|copy-third-parties)\.ts$/.test(file)

const topLevelOf = (file: string): string => (isEntry(file) ? 'the library' : (file.split('/')[0] ?? ''))

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
 * Returns the imports that a function may not have, as lines. A function imports `shared`, `terraform-free-infra`, the
 * entries of the library, its own files, the `provider` folder of its provider, and rooms of its provider by their faces (`brokenFaces` checks the
 * face).
 */
export const strayImports = (rooms: readonly Room[], imports: readonly SourceImport[]): readonly string[] =>
  imports.flatMap(({ file, line, target }) => {
    const [, provider, kind] = functionFile.exec(file) ?? []
    if (provider === undefined || isTest(file) || /^(?:shared|terraform-free-infra)\//.test(target)) return []
    if (isEntry(target)) return []
    const isOwn =
      target.startsWith(`functions/${provider}/${kind}/`) ||
      target.startsWith(`functions/${provider}/provider/`)
    const isRoom = target.startsWith(`functions/${provider}/`) && roomOf(rooms, target) !== undefined
    return isOwn || isRoom ? [] : [`${file}:${line}: a function may not import ${target}`]
  })
