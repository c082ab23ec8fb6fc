/** The objects that `trellis install` renders. */
export const renderables = [
  'manifests',
  'chart',
  'values',
  'registration',
  'operator-extension',
  'admission-runtime-chart',
  'admission-application-chart',
] as const
export type Renderable = (typeof renderables)[number]
