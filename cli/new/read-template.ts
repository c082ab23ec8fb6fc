import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import type { NewFunction } from './new-arguments.ts'

/** The files of one function, by name. */
export type TemplateFiles = Readonly<Record<string, string>>

/** In an installed package without sources: all templates in one file, created by build/library/build.ts. */
const packed = new URL('../templates.json', import.meta.url)
const templates = new URL('../templates/', import.meta.url)

/** Files that several templates share are in a folder beside them; each function gets its own copy. */
const sharedFolders = ['cloud']

/** Returns the template of a kind, with the shared files that it imports. All kinds have one of secondary functions. */
export const readTemplate = async ({
  kind,
  role,
  references,
}: Pick<NewFunction, 'kind' | 'role' | 'references'>): Promise<TemplateFiles> => {
  const folder = references ? 'references' : kind.toLowerCase()
  const { [folder]: primary = {}, secondary = {} } = await readTemplates()
  const { 'example.yaml': example } = primary
  if (example === undefined) throw new Error(`the kind ${kind} has no template`)
  if (role === undefined) return primary
  const own = Object.entries(secondary).map(([name, text]) => [name, forKind(text, kind)])
  return { ...Object.fromEntries(own), 'example.yaml': example }
}

/** The template of secondary functions follows Networks. */
const forKind = (text: string, kind: NewFunction['kind']): string =>
  text.replaceAll('acme-network', `acme-${kind.toLowerCase()}`).replaceAll(/\bNetwork(s?)\b/g, `${kind}$1`)

/** Returns all templates, by folder name. */
export const readTemplates = async (): Promise<Readonly<Record<string, TemplateFiles>>> => {
  if (existsSync(packed)) return JSON.parse(await readFile(packed, 'utf8')) as Record<string, TemplateFiles>
  const folders = await filesOf(await readdir(templates))
  const shared = sharedFolders.map(name => folders[name] ?? {})
  return Object.fromEntries(
    Object.entries(folders)
      .filter(([name]) => !sharedFolders.includes(name))
      .map(([name, files]) => [name, withShared(files, shared)]),
  )
}

const withShared = (files: TemplateFiles, shared: readonly TemplateFiles[]): TemplateFiles => {
  const sources = Object.values(files).join('\n')
  const imported = shared.flatMap(Object.entries<string>).filter(([name]) => sources.includes(`/${name}'`))
  return { ...files, ...Object.fromEntries(imported) }
}

const filesOf = async (names: readonly string[]): Promise<Readonly<Record<string, TemplateFiles>>> =>
  Object.fromEntries(
    await Promise.all(
      names.map(async name => {
        const inside = new URL(`${name}/`, templates)
        const files = (await readdir(inside)).map(
          async file => [file, await readFile(new URL(file, inside), 'utf8')] as const,
        )
        return [name, Object.fromEntries(await Promise.all(files))] as const
      }),
    ),
  )
