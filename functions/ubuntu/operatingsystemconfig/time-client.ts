import type { File, Unit } from '../../../shared/contract/objects.ts'
import type { ExtensionConfig, NtpdConfig } from './extension-config.ts'
import { installNtpScript } from './install-ntp-script.ts'

const script = '/opt/gardener/bin/install-ntp.sh'

/** The time client of a machine: the operator's choice, installed if missing. */
export const timeClient = (ntp: ExtensionConfig['ntp']) => {
  const daemon = ntp?.daemon ?? 'systemd-timesyncd'
  const files: readonly File[] = [
    { path: script, permissions: 0o744, content: { inline: { encoding: '', data: installNtpScript } } },
    ...(daemon === 'ntpd'
      ? [
          {
            path: '/etc/ntp.conf',
            permissions: 0o644,
            content: { inline: { encoding: '' as const, data: ntpConf(ntp?.ntpd ?? undefined) } },
          },
        ]
      : []),
  ]
  return { unit: installUnit(daemon), files }
}

const installUnit = (daemon: string): Unit => ({
  name: 'install-ntp-client.service',
  command: 'restart',
  content: `[Unit]
Description=Oneshot service to install requested ntp client

[Service]
Type=oneshot
ExecStart=/bin/bash ${script} ${daemon}

[Install]
WantedBy=multi-user.target
`,
})

const ntpConf = ({ servers = [], interfaces }: Partial<NtpdConfig> = {}): string =>
  `${servers.map(server => `\nserver ${server} iburst`).join('')}

driftfile /var/lib/ntp/ntp.drift
restrict default nomodify nopeer noquery notrap limited kod
restrict 127.0.0.1
restrict [::1]

${interfaces && interfaces.length > 0 ? ['ignore wildcard', 'listen 127.0.0.1', ...interfaces.map(name => `listen ${name}`)].map(line => `interface ${line}\n`).join('') : ''}`
