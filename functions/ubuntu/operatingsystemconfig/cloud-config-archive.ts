import { stringify } from 'yaml'
import type { AptArchive, ExtensionConfig } from './extension-config.ts'

/** A part of user data that cloud-init handles by its type. */
export interface ArchivePart {
  readonly type: 'text/x-shellscript' | 'text/cloud-config'
  readonly content: string
}

/** Several parts of user data as one document for cloud-init, in the form that Gardener's os-ubuntu writes. */
export const cloudConfigArchive = (parts: readonly ArchivePart[]): string =>
  `#cloud-config-archive\n${parts.map(({ type, content }) => `- content: ${yamlText(content)}\n  type: ${type}\n`).join('')}`

/** Whether every reader of YAML 1.1 gives the very same text back that stands in a literal block. */
const isLiteral = (text: string): boolean =>
  /^[^\s](?:[\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd]|[\ud800-\udbff][\udc00-\udfff])*$/.test(
    text,
  ) && /[^\n]\n$/.test(text)

const yamlText = (text: string): string =>
  isLiteral(text) ? `|\n${text.slice(0, -1).replaceAll(/^(?=.)/gm, '    ')}` : quoted(text)

/** JSON, and of what YAML does not allow the numbers. */
const quoted = (text: string): string =>
  JSON.stringify(text).replaceAll(
    /[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

/** Where machines get their packages from, as cloud-init has it. */
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
