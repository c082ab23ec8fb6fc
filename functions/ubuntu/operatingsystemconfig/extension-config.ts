import * as z from 'zod'

const oneWord = z.string().regex(/^[\w.:%[\]-]+$/, 'expected a name or an address')

const url = z
  .string()
  .refine(
    text => URL.canParse(text) && new URL(text).host !== '',
    'expected a URL such as http://mirror.example.com/ubuntu',
  )

const archive = z.strictObject({
  arches: z.array(z.enum(['default', 'amd64', 'arm64'])).nullish(),
  uri: url,
  search: z.array(url).nullish(),
  searchDNS: z.boolean().nullish(),
})
export type AptArchive = Readonly<z.output<typeof archive>>

const ntpd = z.strictObject({
  servers: z.array(oneWord).min(1, 'expected a list of NTP servers'),
  interfaces: z.array(oneWord).nullish(),
})
export type NtpdConfig = Readonly<z.output<typeof ntpd>>

/**
 * An operator's settings for all machines with Ubuntu, in the format of `config.yaml` of Gardener's extension
 * (docs/contract/small-kinds.md#settings-of-ubuntu).
 */
export const extensionConfigSchema = z.strictObject({
  apiVersion: z.string().nullish(),
  kind: z.string().nullish(),
  ntp: z
    .strictObject({
      daemon: z
        .enum(['', 'systemd-timesyncd', 'ntpd'])
        .nullish()
        .transform(daemon => daemon || 'systemd-timesyncd'),
      ntpd: ntpd.nullish(),
    })
    .refine(({ daemon, ntpd: given }) => daemon === 'ntpd' || !given, {
      path: ['ntpd'],
      error: 'expected none if daemon is systemd-timesyncd',
    })
    .nullish(),
  disableUnattendedUpgrades: z.boolean().nullish(),
  apt: z
    .strictObject({
      preserveSourcesList: z.boolean().nullish(),
      primary: z.array(archive).nullish(),
      security: z.array(archive).nullish(),
    })
    .nullish(),
})
export type ExtensionConfig = Readonly<z.output<typeof extensionConfigSchema>>
