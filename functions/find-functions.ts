import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { when } from '../shared/lists/when.ts'
import {
  DefinitionError,
  type DefinitionProblem,
  type FunctionDefinition,
  formatPlace,
  type SourcePlace,
} from '../shared/runtime/runtime.ts'
import { type LoadedDefinition, loadDefinition } from './load-definition.ts'

export interface FoundFunction extends FunctionDefinition {
  /** The absolute path of its `function.ts`. */
  readonly file: string
}

const ownFolder = fileURLToPath(new URL('.', import.meta.url))

/**
 * Folders of a provider without a function: `provider` has shared code, `webhooks` the admission functions,
 * `garden-objects` the objects of the garden.
 */
const notFunctions = new Set(['provider', 'webhooks', 'garden-objects', 'testing', 'node_modules'])

/**
 * Finds the functions of a folder, by name: each `<provider>/<kind>/function.ts` exports one as `definition`. There is
 * no central list. Throws a `DefinitionError` that names all errors with file and line.
 *
 * @param isWanted selects by the path of a function's folder; others are not read
 */
export const findFunctions = async (
  root: string = ownFolder,
  isWanted: (folder: string) => boolean = () => true,
): Promise<readonly FoundFunction[]> => {
  const folders = (await functionFolders(root)).filter(isWanted)
  const loaded = await Promise.all(folders.map(load))
  const found = loaded.flatMap(result =>
    'definition' in result ? [{ ...result.definition, file: result.file }] : [],
  )
  const problems = [
    ...(await misplaced(root)),
    ...loaded.flatMap(result => ('problems' in result ? result.problems : [])),
    ...repeated(found),
  ]
  if (problems.length > 0) throw new DefinitionError(problems)
  return found.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const functionFolders = async (root: string): Promise<readonly string[]> => {
  const providers = await foldersIn(root)
  return (await Promise.all(providers.map(foldersIn))).flat()
}

const foldersIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { withFileTypes: true }))
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && !notFunctions.has(entry.name))
    .map(({ name }) => join(folder, name))

const load = async (folder: string): Promise<LoadedDefinition<FunctionDefinition>> => {
  // As source and as published.
  const file = ['function.ts', 'function.js'].map(name => join(folder, name)).find(existsSync)
  if (file !== undefined) return loadDefinition(file)
  const message =
    'the file does not exist. Each folder of a provider must be a function. Put code that several functions share into <provider>/provider'
  return { problems: [{ place: { file: join(folder, 'function.ts') }, message }] }
}

/** Reports definitions in unexpected places. */
const misplaced = async (root: string): Promise<readonly DefinitionProblem[]> =>
  [root, ...(await foldersIn(root))]
    .flatMap(folder => ['function.ts', 'function.js'].map(name => join(folder, name)))
    .filter(existsSync)
    .map(file => ({
      place: { file },
      message: 'not allowed here: a function must be in <provider>/<kind>/function.ts',
    }))

/** An object has one primary function: two would do the same work twice. */
const repeated = (found: readonly FoundFunction[]): readonly DefinitionProblem[] =>
  found.flatMap((one, index) =>
    found.slice(0, index).flatMap(other => {
      const place = placeOf(one)
      const there = formatPlace(placeOf(other))
      const classes = one.classes.filter(extensionClass => other.classes.includes(extensionClass))
      const types = one.types.filter(type => other.types.includes(type))
      return [
        ...when(one.name === other.name, {
          place,
          message: `the name ${one.name} is already used by ${there}: a Knative Service has one function`,
        }),
        ...when(
          isPrimary(one) &&
            isPrimary(other) &&
            one.kind === other.kind &&
            types.length > 0 &&
            classes.length > 0,
          {
            place,
            message: `${one.kind} of type ${types.join(', ')} in class ${classes.join(', ')} already has a primary function: ${there}. Give the other the role 'secondary'`,
          },
        ),
        ...conditionsOf(one)
          .filter(type => one.kind === other.kind && types.length > 0 && conditionsOf(other).includes(type))
          .map(type => ({
            place,
            message: `the condition ${type} is already written by ${there}. Choose another type`,
          })),
      ]
    }),
  )

const isPrimary = ({ secondary }: FoundFunction): boolean => secondary === undefined

/** The types of the conditions that a function writes. */
const conditionsOf = ({ secondary, health }: FoundFunction): readonly string[] =>
  secondary?.conditions ?? health?.conditions.map(({ type }) => type) ?? []

/** If another file creates the definition for several functions, its place is not in their files. */
const placeOf = ({ place, file }: FoundFunction): SourcePlace => (place?.file === file ? place : { file })
