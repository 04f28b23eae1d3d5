export default { themeConfig: { sidebar: [ { text: 'Use', link: '/guide/use' }, { text: 'Start', link: '/guide/' } ] } }
