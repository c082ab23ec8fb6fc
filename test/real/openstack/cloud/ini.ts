/** The sections of a configuration file of OpenStack. */
export type Sections = Readonly<Record<string, Readonly<Record<string, string | number | boolean>>>>

/** Returns the text of a configuration file. */
export const iniText = (sections: Sections): string =>
  Object.entries(sections)
    .map(([name, values]) =>
      [`[${name}]`, ...Object.entries(values).map(([key, value]) => `${key} = ${value}`)].join('\n'),
    )
    .join('\n')
