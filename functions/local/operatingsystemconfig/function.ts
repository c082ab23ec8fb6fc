import {
  checkedVersion,
  type NodeAdditions,
  type OperatingSystem,
  once,
  operatingSystemConfigFlow,
  operatingSystemConfigPermissions,
  operatingSystemConfigService,
} from '../../../shared/operating-system-config/operating-system-config.ts'
import { defineFunction } from '../../../shared/runtime/define-function.ts'

/** Machines of provider-local. */
export const definition = defineFunction({
  name: 'local-operatingsystemconfig',
  kind: 'OperatingSystemConfig',
  type: 'local',
  permissions: operatingSystemConfigPermissions,
  service: operatingSystemConfigService,
  create: () => operatingSystemConfigFlow(local),
})

/** Machines of provider-local: containers with systemd (docs/contract/small-kinds.md#flavours). */
const local: OperatingSystem = {
  userData: ({ parts: { files, units, starts } }) =>
    once(`#!/bin/bash\n${files}\n${units}\nsystemctl daemon-reload\n${starts}`),
  additions: ({ object: { spec } }) => ({
    units: [userSessions],
    ...(spec.inPlaceUpdates && {
      inPlaceUpdates: inPlaceUpdates(spec.inPlaceUpdates.operatingSystemVersion),
    }),
  }),
}

/** Users can log in only if their session directories exist. */
const userSessions = {
  name: 'systemd-user-sessions.service',
  dropIns: [
    {
      name: 'dependencies.conf',
      content: `[Unit]
Wants=systemd-tmpfiles-setup.service
After=systemd-tmpfiles-setup.service
[Install]
WantedBy=multi-user.target`,
    },
  ],
}

/** The machine only reports the new version and does not change. */
const inPlaceUpdates = (version: string): NonNullable<NodeAdditions['inPlaceUpdates']> => ({
  osUpdate: {
    command: 'sed',
    args: [
      '-i',
      '-E',
      `s/^PRETTY_NAME="[^"]*"/PRETTY_NAME="Machine Image Version ${checkedVersion(version)} (version overwritten for tests, check VERSION_ID for actual version)"/`,
      '/etc/os-release',
    ],
  },
})
