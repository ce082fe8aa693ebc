"""What a Hugging Face Space of this app needs, and the script that assembles its tree."""
