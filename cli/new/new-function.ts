import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseAllDocuments } from 'yaml'
import { libraryName } from '../../build/project/project.ts'
import { findFunctions } from '../../functions/find-functions.ts'
import { UsageError } from '../../sandbox/terminal/exit-code.ts'
import { annotations } from '../../shared/contract/constants.ts'
import { buildEvent, type ExtensionEvent, eventJson } from '../../shared/events/events.ts'
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes.ts'
import { dueWork } from '../../shared/lifecycle/lifecycle.ts'
import { isDefinitionError } from '../../shared/runtime/runtime.ts'
import { dueObservation, observationEvent } from '../../shared/secondary/secondary.ts'
import { findPlace, type NewPlace } from './find-place.ts'
import { importsOfLibrary } from './imports-of-library.ts'
import { libraryInside, librarySource, projectName } from './library-source.ts'
import { folderOf, type NewFunction } from './new-arguments.ts'
import { projectFiles } from './project-files.ts'
import { readTemplate, type TemplateFiles } from './read-template.ts'
import { writeWhole } from './write-whole.ts'

export interface NewFunctionOptions {
  /** The working directory. */
  readonly here: string
  /** The given folder. Default: `here`, or the project that contains it. */
  readonly folder?: string
  /** The argument for `npm install` of the library. Default: the source that this one was installed from. */
  readonly library?: string
}

export interface WrittenFunction {
  readonly place: NewPlace['kind']
  /** The root of the clone or the project. */
  readonly root: string
  /** The folder of the function, relative to the root. */
  readonly folder: string
  readonly files: readonly string[]
}

/**
 * Creates a function, and in an empty folder a project around it: all files or none. Throws a `UsageError` if the place
 * is unsuitable.
 */
export const writeNewFunction = async (
  fn: NewFunction,
  { here, folder: asked, library }: NewFunctionOptions,
): Promise<WrittenFunction> => {
  const place = await findPlace(here, asked)
  const { root } = place
  const folder = folderOf(fn)
  if (existsSync(join(root, folder)))
    throw new UsageError(
      `${relative(here, join(root, folder)) || folder} already exists; nothing was written`,
    )
  await checkAlone(fn, join(root, 'functions'))
  const template = await readTemplate(fn)
  const files = functionFiles(template, fn, place.kind === 'clone' ? 'clone' : 'project')
  if (place.kind === 'empty') {
    const { dependencies, devDependencies } = place.manifest ?? {}
    const installed = { ...devDependencies, ...dependencies }[libraryName]
    const source = library ?? installed ?? (await librarySource(root))
    const { dependency, files: packed } = await libraryInside(root, source)
    const beside = projectFiles(fn, {
      project: projectName(root),
      library: dependency,
      files,
      ...(place.manifest && { manifest: place.manifest }),
    })
    const whole = { ...beside, ...packed, ...prefixed(`${folder}/`, files) }
    await writeWhole(root, whole, undefined, ['package.json'])
    return { place: place.kind, root, folder, files: Object.keys(whole) }
  }
  await writeWhole(
    join(root, folder),
    files,
    place.kind === 'clone' ? inside => formatted(root, inside) : undefined,
  )
  return { place: place.kind, root, folder, files: Object.keys(prefixed(`${folder}/`, files)) }
}

const prefixed = (prefix: string, files: TemplateFiles): TemplateFiles =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${prefix}${name}`, text]))

/** Two functions with one name, or for the same objects, would do the same work twice. */
const checkAlone = async (
  { name, kind, type, classes, role }: NewFunction,
  functions: string,
): Promise<void> => {
  if (!existsSync(functions)) return
  const others = await findFunctions(functions).catch((error: unknown) => {
    // The commands that run other functions report their problems.
    if (isDefinitionError(error)) return []
    throw error
  })
  for (const other of others) {
    if (other.name === name)
      throw new UsageError(
        `the name ${name} is already used by ${relative(process.cwd(), other.file)}. Choose another one with --name`,
      )
    if (role !== undefined || other.secondary !== undefined) continue
    if (other.kind === kind && other.types.includes(type) && other.classes.some(one => classes.includes(one)))
      throw new UsageError(
        `${kind} of type ${type} already has a function, ${relative(process.cwd(), other.file)}. Choose another type with --type`,
      )
  }
}

/**
 * Formats the files as the linter of the clone requires: the length of names changes line breaks. Without the linter,
 * only the format differs.
 */
const formatted = async (root: string, folder: string): Promise<void> => {
  const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')
  const { promise, resolve } = Promise.withResolvers<void>()
  execFile(process.execPath, [biome, 'check', '--write', folder], { cwd: root }, () => resolve())
  await promise
}

const template = { name: (kind: string) => `acme-${kind.toLowerCase()}`, type: /\bacme\b/g }

/** The place of a function: in a clone of this repository it imports the rooms, elsewhere the library. */
type FunctionPlace = 'clone' | 'project'

/** Returns the files of a new function by name: the template with the new names, and the event of its example. */
const functionFiles = (files: TemplateFiles, fn: NewFunction, place: FunctionPlace): TemplateFiles => {
  const { kind, name, type, classes } = fn
  const own = (text: string): string =>
    text
      .split(template.name(kind))
      .map(part => part.replaceAll(template.type, type))
      .join(name)
  const written = Object.entries(files).map(([file, text]): readonly [string, string] => {
    if (file.endsWith('.yaml')) return [file, withClass(own(text), classes)]
    // Shared files of templates are copied beside the function.
    const beside = own(text).replaceAll(/'\.\.\/\w+\/(\w+\.ts)'/g, "'./$1'")
    const classed = beside.replace(
      /classes: \[[^[\]]{0,99}\]/,
      `classes: [${classes.map(one => `'${one}'`).join(', ')}]`,
    )
    return [file, place === 'clone' ? classed : importsOfLibrary(classed)]
  })
  const all = Object.fromEntries(written)
  return { ...all, 'event.json': eventOf(all['example.yaml'] ?? '', fn) }
}

/** Gives the object of an example a class that the function serves. */
const withClass = (yaml: string, classes: readonly string[]): string => {
  if (classes.includes('shoot')) return yaml
  const at = yaml.lastIndexOf('\nspec:\n') + '\nspec:\n'.length
  return `${yaml.slice(0, at)}  class: ${classes[0]}\n${yaml.slice(at)}`
}

/** Returns the event that the bridge would send for the last object of an example. */
const eventOf = (yaml: string, { kind, name, type, role }: NewFunction): string => {
  const object: KubernetesObject = [...parseAllDocuments(yaml)].at(-1)?.toJS()
  const { [annotations.timestamp]: asked = '' } = object.metadata.annotations ?? {}
  const now = Date.parse(asked)
  const metadata = {
    ...object.metadata,
    uid: '7d0c5a52-4f3f-4a0b-9d55-2f1f4f3f6d01',
    resourceVersion: '1041',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
  }
  const made = { ...object, metadata }
  const about = { object: made, kind, source: '/seeds/sandbox', now }
  const written = (event: ExtensionEvent) => `${JSON.stringify(eventJson(event), null, 2)}\n`
  if (role === 'secondary') {
    const work = dueObservation(kind, made, name)
    if (work.kind !== 'emit') throw new Error(`the example of ${kind} is nothing to observe`)
    return written(observationEvent({ ...about, route: { name, type }, work }))
  }
  const work = dueWork(kind, made, now)
  if (work.kind !== 'emit') throw new Error(`the example of ${kind} requests no operation`)
  const { operation, cause, reason, attempt } = work
  return written(buildEvent({ ...about, operation, cause, reason, attempt }))
}
