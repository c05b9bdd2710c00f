"""What no definition needs: orders to the model, and text that people do not see."""
