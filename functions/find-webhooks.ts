import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import * as z from 'zod'
import {
  DefinitionError,
  type DefinitionProblem,
  formatPlace,
  type SourcePlace,
} from '../shared/runtime/runtime.ts'
import {
  isWebhookDefinition,
  type WebhookDefinition,
  webhookPath,
} from '../shared/webhooks/admission/admission.ts'
import { loadExport } from './load-definition.ts'

export interface FoundWebhook extends WebhookDefinition {
  /** The absolute path of its `webhook.ts`. */
  readonly file: string
}

const ownFolder = fileURLToPath(new URL('.', import.meta.url))

/**
 * The admission functions of a folder, by path: each `<provider>/webhooks/<name>/webhook.ts` exports one as
 * `definition`. No list names them. A folder without this file contains code that several functions share. Throws a
 * `DefinitionError` that names everything that is wrong, with file and line.
 */
export const findWebhooks = async (root: string = ownFolder): Promise<readonly FoundWebhook[]> => {
  const files = await webhookFiles(root)
  const loaded = await Promise.all(files.map(file => loadExport(file, isWebhookDefinition, 'defineWebhook')))
  const found = loaded.flatMap(result =>
    'definition' in result ? [{ ...result.definition, file: result.file }] : [],
  )
  const problems = [
    ...loaded.flatMap(result => ('problems' in result ? result.problems : [])),
    ...repeatedPaths(found),
    ...repeatedSettings(found),
  ]
  if (problems.length > 0) throw new DefinitionError(problems)
  return found.toSorted((a, b) => (webhookPath(a) < webhookPath(b) ? -1 : 1))
}

const webhookFiles = async (root: string): Promise<readonly string[]> => {
  const providers = await foldersIn(root)
  const folders = providers.map(provider => join(provider, 'webhooks')).filter(existsSync)
  return (await Promise.all(folders.map(foldersIn))).flat().flatMap(folder =>
    // As source and as published.
    ['webhook.ts', 'webhook.js']
      .map(name => join(folder, name))
      .filter(existsSync)
      .slice(0, 1),
  )
}

const foldersIn = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { withFileTypes: true }))
    .filter(entry => entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
    .map(({ name }) => join(folder, name))

/** One path has one function, which answers all its requests. */
const repeatedPaths = (found: readonly FoundWebhook[]): readonly DefinitionProblem[] =>
  found.flatMap((one, index) =>
    found
      .slice(0, index)
      .filter(other => webhookPath(other) === webhookPath(one))
      .map(other => ({
        place: placeOf(one),
        message: `the path ${webhookPath(one)} is already used by ${formatPlace(placeOf(other))}. Choose another name or component`,
      })),
  )

/**
 * Settings belong to the process, so two with the same name are one. A schema object that two functions share is
 * intended, and so is the same description: both read the operator's file of images, each with its own table.
 */
const repeatedSettings = (found: readonly FoundWebhook[]): readonly DefinitionProblem[] =>
  found.flatMap((one, index) =>
    Object.keys(one.settings.shape).flatMap(name =>
      found
        .slice(0, index)
        .filter(
          other =>
            name in other.settings.shape &&
            !isSameSetting(other.settings.shape[name], one.settings.shape[name]),
        )
        .map(other => ({
          place: placeOf(one),
          message: `settings.${name}: ${formatPlace(placeOf(other))} already has a setting with this name. Choose another name`,
        })),
    ),
  )

const isSameSetting = (one: z.core.$ZodType | undefined, other: z.core.$ZodType | undefined): boolean =>
  one === other || (descriptionOf(one) !== undefined && descriptionOf(one) === descriptionOf(other))

const descriptionOf = (schema: z.core.$ZodType | undefined): string | undefined =>
  schema && z.globalRegistry.get(schema)?.description

const placeOf = ({ place, file }: FoundWebhook): SourcePlace => (place?.file === file ? place : { file })
