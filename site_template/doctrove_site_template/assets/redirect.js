// Takes the #section along, which a refresh in the page's head cannot.
location.replace(document.currentScript.dataset.to + location.hash);
