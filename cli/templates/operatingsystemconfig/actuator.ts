import {
  type OperatingSystem,
  once,
  operatingSystemConfigFlow,
} from '../../../shared/operating-system-config/operating-system-config.ts'

/** The part that depends on the operating system. The flow reads the files and writes the Secret with the user data. */
const operatingSystem: OperatingSystem = {
  // TODO: Set up what the operating system lacks, such as containerd. A new machine runs the script at its first boot.
  userData: ({ parts: { files, units, starts } }) =>
    once(`#!/bin/bash\n${files}\n${units}\nsystemctl daemon-reload\n${starts}`),
  // TODO: Return the units and files that the operating system needs in addition to gardenlet's. No file may have a
  // path of spec.files.
  additions: () => ({}),
}

export const operatingSystemConfigActuator = operatingSystemConfigFlow(operatingSystem)
