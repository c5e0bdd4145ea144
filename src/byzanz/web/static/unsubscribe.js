// The link in an e-mail unsubscribes with one tap. Programs that only look at links change nothing.
document.getElementById("stop").requestSubmit();
