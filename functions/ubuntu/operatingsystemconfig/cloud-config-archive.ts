import { stringify } from 'yaml'
import type { AptArchive, ExtensionConfig } from './extension-config.ts'

/** A part of user data. cloud-init handles it by its type. */
export interface ArchivePart {
  readonly type: 'text/x-shellscript' | 'text/cloud-config'
  readonly content: string
}

/** Combines parts of user data into one document for cloud-init, in the format of Gardener's os-ubuntu. */
export const cloudConfigArchive = (parts: readonly ArchivePart[]): string =>
  `#cloud-config-archive\n${parts.map(({ type, content }) => `- content: ${yamlText(content)}\n  type: ${type}\n`).join('')}`

/** Returns true if every YAML 1.1 parser reads the text in a literal block unchanged. */
const isLiteral = (text: string): boolean =>
  /^[^\s](?:[\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\ud800-\udbff][\udc00-\udfff])*$/.test(
    text,
  ) && /[^\n]\n$/.test(text)

const yamlText = (text: string): string =>
  isLiteral(text) ? `|\n${text.slice(0, -1).replaceAll(/^(?=.)/gm, '    ')}` : quoted(text)

/** JSON, with characters that YAML forbids as escapes. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** The package sources of machines, in the format of cloud-init. */
export const aptCloudConfig = ({
  preserveSourcesList,
  primary,
  security,
}: NonNullable<ExtensionConfig['apt']>): string => {
  const apt = {
    preserve_sources_list: preserveSourcesList ?? false,
    ...archivesAs('primary', primary),
    ...archivesAs('security', security),
  }
  return `#cloud-config\n${stringify({ apt }, { indentSeq: false, lineWidth: 0 })}`
}

const archivesAs = (name: string, archives: readonly AptArchive[] | null | undefined) =>
  archives && archives.length > 0
    ? {
        [name]: archives.map(({ arches, uri, search, searchDNS }) => ({
          ...(arches && arches.length > 0 && { arches }),
          ...(search && search.length > 0 && { search }),
          ...(searchDNS && { search_dns: true }),
          uri,
        })),
      }
    : {}
