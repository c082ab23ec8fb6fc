import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { hostileText } from '../../../shared/operating-system-config/testing/hostile.ts'
import { configOfType, partsWith } from '../../../shared/operating-system-config/testing/parts.ts'
import { cloudConfigArchive } from './cloud-config-archive.ts'
import { readExtensionConfig, ubuntuSettings } from './settings.ts'
import { ubuntu } from './ubuntu.ts'

const object = configOfType('ubuntu')
const systemOf = (config: object = {}) => ubuntu(readExtensionConfig(JSON.stringify(config)))
const userDataOf = (config: object = {}, text = 'x') =>
  systemOf(config).userData({ object, parts: partsWith(text) })
const additionsOf = (config: object) => systemOf(config).additions({ object, cluster: undefined })

test('cloud-init reads the exact script, whatever its files contain', () => {
  fc.assert(
    fc.property(hostileText, text => {
      // The YAML version that cloud-init reads.
      const [part, ...others] = parse(userDataOf({}, text), { version: '1.1' }) as readonly {
        content: string
        type: string
      }[]
      expect(others).toEqual([])
      expect(part?.type).toBe('text/x-shellscript')
      expect(part?.content).toContain(partsWith(text).files)
      expect(part?.content.startsWith('#!/bin/bash\n')).toBe(true)
    }),
  )
})

test.each(['a', 'a\n\n', '\n', '', ' a\n'])('a part that is %j is read unchanged', content => {
  const archive = cloudConfigArchive([{ type: 'text/cloud-config', content }])
  expect(parse(archive, { version: '1.1' })).toEqual([{ type: 'text/cloud-config', content }])
})

test('characters that YAML forbids are written as escapes', () => {
  const userData = userDataOf({}, '\u0001\u007f\u0085\u2028\ufeff\ufffe')
  expect(userData).toContain('\\u0001\\u007f\\u0085\\u2028\\ufeff\\ufffe')
  expect(/[^\n -~]/.test(userData)).toBe(false)
})

const mirror = 'http://packages.ubuntu-mirror.example.com/apt-mirror/ubuntu'

describe('settings', () => {
  test('of apt become a part for cloud-init', () => {
    const archive = { arches: ['default'], uri: mirror }
    const userData = userDataOf({
      apt: {
        preserveSourcesList: false,
        primary: [{ ...archive, search: [mirror], searchDNS: true }],
        security: [archive],
      },
    })
    expect(userData.slice(userData.indexOf('  type: text/x-shellscript\n'))).toBe(`  type: text/x-shellscript
- content: |
    #cloud-config
    apt:
      preserve_sources_list: false
      primary:
      - arches:
        - default
        search:
        - ${mirror}
        search_dns: true
        uri: ${mirror}
      security:
      - arches:
        - default
        uri: ${mirror}
  type: text/cloud-config
`)
  })

  test('of ntpd become its file, and the unit installs it', () => {
    const { units = [], files = [] } = additionsOf({
      ntp: { daemon: 'ntpd', ntpd: { servers: ['foo.bar', 'bar.foo'], interfaces: ['dev1', 'dev2'] } },
    })
    expect(units[0]?.content).toContain('ExecStart=/bin/bash /opt/gardener/bin/install-ntp.sh ntpd\n')
    expect(files[1]).toEqual({
      path: '/etc/ntp.conf',
      permissions: 0o644,
      content: {
        inline: {
          encoding: '',
          data: `
server foo.bar iburst
server bar.foo iburst

driftfile /var/lib/ntp/ntp.drift
restrict default nomodify nopeer noquery notrap limited kod
restrict 127.0.0.1
restrict [::1]

interface ignore wildcard
interface listen 127.0.0.1
interface listen dev1
interface listen dev2
`,
        },
      },
    })
  })

  test('may disable unattended upgrades', () => {
    const piece = 'APT::Periodic::Unattended-Upgrade "0";'
    expect(userDataOf()).not.toContain(piece)
    expect(userDataOf({ disableUnattendedUpgrades: true })).toContain(`    ${piece}\n`)
  })

  test.each([
    ['ntp:\n  daemon: chrony\n', 'ntp.daemon: '],
    ['ntp: {daemon: ntpd, ntpd: {servers: []}}', 'ntp.ntpd.servers: expected a list of NTP servers'],
    ['ntp: {daemon: systemd-timesyncd, ntpd: {servers: [a]}}', 'ntp.ntpd: expected none if'],
    ['ntp: {daemon: ntpd, ntpd: {servers: ["a\\nb"]}}', 'ntp.ntpd.servers[0]: expected a name'],
    ['apt: {primary: [{uri: nowhere}]}', 'apt.primary[0].uri: expected a URL'],
    ['apt: {primary: [{uri: "http://a", arches: [sparc]}]}', 'apt.primary[0].arches[0]: '],
    ['[', 'it is not valid YAML'],
    ['text', 'expected an object'],
  ])('%j stop the start with the reason', (extensionConfig, message) => {
    expect(ubuntuSettings.safeParse({ extensionConfig }).error?.issues[0]?.message).toContain(message)
  })

  test('may be YAML or empty', () => {
    expect(ubuntuSettings.parse({})).toEqual({ extensionConfig: '' })
    expect(readExtensionConfig('disableUnattendedUpgrades: true\n')).toEqual({
      disableUnattendedUpgrades: true,
    })
  })
})
