/** Colours of code, on the dark ground that it has in both modes. */
export const codeTheme: {
  name: string;
  type: 'dark';
  colors: Record<string, string>;
  settings: { scope?: string[]; settings: { foreground: string } }[];
} = {
  name: 'waybill',
  type: 'dark',
  colors: { 'editor.background': '#0f1d30', 'editor.foreground': '#e6edf6' },
  settings: [
    { settings: { foreground: '#e6edf6' } },
    { scope: ['comment', 'punctuation.definition.comment'], settings: { foreground: '#8fa3bc' } },
    { scope: ['string', 'constant.other.symbol'], settings: { foreground: '#ffb883' } },
    {
      scope: ['keyword', 'storage', 'support.type.property-name', 'keyword.other.http', 'entity.name.tag'],
      settings: { foreground: '#8fc7ff' },
    },
    { scope: ['keyword.operator'], settings: { foreground: '#e6edf6' } },
    {
      scope: ['constant.numeric', 'constant.language', 'variable.other.normal.shell'],
      settings: { foreground: '#7fd8b0' },
    },
    { scope: ['entity.name.function', 'support.function', 'entity.name.command'], settings: { foreground: '#d9c2ff' } },
  ],
};
