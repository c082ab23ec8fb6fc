import type { File, Unit } from '../../../shared/contract/objects.ts'
import { when } from '../../../shared/lists/when.ts'
import type { ExtensionConfig, NtpdConfig } from './extension-config.ts'

const script = '/opt/gardener/bin/install-ntp.sh'

/** The time client of a machine: the operator's choice, installed if missing. */
export const timeClient = (ntp: ExtensionConfig['ntp']) => {
  const daemon = ntp?.daemon ?? 'systemd-timesyncd'
  const files: readonly File[] = [
    { path: script, permissions: 0o744, content: { inline: { encoding: '', data: installNtpScript } } },
    ...when(daemon === 'ntpd', {
      path: '/etc/ntp.conf',
      permissions: 0o644,
      content: { inline: { encoding: '' as const, data: ntpConf(ntp?.ntpd ?? undefined) } },
    }),
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

/** Installs one of two time clients, unless it is already installed. */
const installNtpScript = `#!/usr/bin/env bash

set -e

install_ntp() {
  echo "Installing ntpd client..."
  if package_installed ntp; then
    echo "Package is already installed!"
    return
  fi
  echo "apt update && apt install -y ntp"
  apt update && DEBIAN_FRONTEND=noninteractive apt install -o Dpkg::Options::="--force-confold" -y ntp
  echo "ntp installed successfully!"
}

ntpd() {
  install_ntp
}

systemd_timesyncd() {
  install_systemd_timesyncd
}

install_systemd_timesyncd() {
  echo "Installing systemd-timesyncd client..."
  if package_installed systemd-timesyncd; then
    echo "Package is already installed!"
    return
  fi
  echo "apt update && apt install -y systemd-timesyncd"
  apt update && DEBIAN_FRONTEND=noninteractive apt install -y systemd-timesyncd
  echo "systemd-timesyncd installed successfully!"
}

package_installed() {
  if ! dpkg-query -W -f='\${Status}' "$1" 2>/dev/null | grep -c "ok installed"; then
    return 1
  fi
  return 0
}

if [ -z "$1" ]; then
    echo "Usage: $0 <option>"
    echo "Options:"
    echo "  ntpd                Install ntp"
    echo "  systemd-timesyncd   Install systemd-timesyncd"
    exit 1
fi

# Process the argument
case "$1" in
    ntpd)
        ntpd
        ;;
    systemd-timesyncd)
        systemd_timesyncd
        ;;
    *)
        echo "Invalid option: $1"
        echo "Please use 'ntpd' or 'systemd-timesyncd'."
        exit 1
        ;;
esac

echo "Installation complete."`
