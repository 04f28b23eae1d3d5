module.exports = { docs: ['intro', { type: 'category', items: ['advanced/plugins'] }] }
