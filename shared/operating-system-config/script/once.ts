const applied = '/var/lib/osc/provision-osc-applied'

/**
 * Returns a script that runs only once to its end per machine. Its first lines remain first if they start with `#`.
 *
 * @example
 * const userData = once(`#!/bin/bash\nsystemctl enable --now containerd\n`)
 */
export const once = (script: string): string => {
  const lines = script.split('\n')
  const first = lines.findIndex(line => !line.startsWith('#'))
  const head = first === -1 ? lines : lines.slice(0, first)
  return [
    ...head,
    `if [ -f "${applied}" ]; then`,
    '  echo "Provision OSC already applied, exiting..."',
    '  exit 0',
    'fi',
    '',
    ...lines.slice(head.length),
    '',
    'mkdir -p /var/lib/osc',
    `touch ${applied}`,
    '',
  ].join('\n')
}
